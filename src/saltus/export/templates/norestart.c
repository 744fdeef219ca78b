/* The start is that of Saltus: finding the mode to begin in takes more than is here. */
@NAME@_status @NAME@_restart(@NAME@ *s)
{
    (void)s;
    return @NAME@_REFUSED;
}
