/* The start is that of Saltus: it has gone through several programs, of which one is here. */
@NAME@_status @NAME@_restart(@NAME@ *s)
{
    (void)s;
    return @NAME@_REFUSED;
}
