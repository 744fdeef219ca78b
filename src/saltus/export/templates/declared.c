static @NAME@_status decide(@NAME@ *s, int done);
static int carry(@NAME@ *s);
static void leave(@NAME@ *s);
static int leads_elsewhere(@NAME@ *s, @NAME@_status code);
static void before_event(@NAME@ *s);
static void after_event(@NAME@ *s);
