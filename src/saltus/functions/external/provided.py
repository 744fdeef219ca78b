"""The tables of external functions: which are provided, by their C names, and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from saltus.expr.evaluate import Value
from saltus.functions.external import files, given, random, strings, tables

_TABLE = "ModelicaStandardTables_Combi"

PROVIDED: dict[str, Callable[..., Sequence[Value]]] = {
    f"{_TABLE}Table1D_init2": tables.table_1d,
    f"{_TABLE}TimeTable_init2": tables.time_table,
    f"{_TABLE}Table2D_init2": tables.table_2d,
    f"{_TABLE}Table1D_init": tables.old_table_1d,
    f"{_TABLE}TimeTable_init": tables.old_time_table,
    f"{_TABLE}Table2D_init": tables.old_table_2d,
    "saltus_given_curve": given.given_curve,
    "ModelicaStrings_length": strings.length,
    "ModelicaStrings_substring": strings.substring,
    "ModelicaStrings_compare": strings.compare,
    "ModelicaStrings_skipWhiteSpace": strings.skip_white_space,
    "ModelicaStrings_scanReal": strings.scan_real,
    "ModelicaStrings_scanInteger": strings.scan_integer,
    "ModelicaStrings_scanString": strings.scan_string,
    "ModelicaStrings_scanIdentifier": strings.scan_identifier,
    "ModelicaStrings_hashString": strings.hash_string,
    "ModelicaError": files.error,
    "ModelicaRandom_xorshift64star": random.xorshift64star,
    "ModelicaRandom_xorshift128plus": random.xorshift128plus,
    "ModelicaRandom_xorshift1024star": random.xorshift1024star,
    "ModelicaRandom_setInternalState_xorshift1024star": random.set_state,
    "ModelicaRandom_impureRandom_xorshift1024star": random.impure_random,
}

#: Those that a run may call, too: `emit.support.external` has them.
NATIVE = frozenset(name for name in PROVIDED if name.startswith("ModelicaRandom_"))

#: Those whose first argument, before that of the C function, says where a URI leads.
OF_FILES: dict[str, Callable[..., Sequence[Value]]] = {"ModelicaInternal_fullPathName": files.full_path_name}

#: Those whose first argument, before those of the C function, are the surroundings: what they see.
SEEING: dict[str, Callable[..., Sequence[Value]]] = {
    "ModelicaInternal_stat": files.stat,
    "ModelicaInternal_countLines": files.count_lines,
    "ModelicaInternal_readFile": files.read_file,
    "ModelicaInternal_readLine": files.read_line,
    "ModelicaInternal_getenv": files.environment_variable,
    "ModelicaInternal_getcwd": files.current_directory,
    "ModelicaInternal_getNumberOfFiles": files.number_of_files,
    "ModelicaInternal_readDirectory": files.names_in,
    "ModelicaIO_readMatrixSizes": files.matrix_sizes,
    "ModelicaIO_readRealMatrix": files.real_matrix,
}

#: Likewise; what they change.
CHANGING: dict[str, Callable[..., Sequence[Value]]] = {
    "ModelicaInternal_print": files.print_line,
    "ModelicaStreams_closeFile": files.close,
    "ModelicaIO_writeRealMatrix": files.write_real_matrix,
    "ModelicaInternal_removeFile": files.remove,
    "ModelicaInternal_mkdir": files.make_folder,
    "ModelicaInternal_rmdir": files.remove,
    "ModelicaInternal_rename": files.rename,
    "ModelicaInternal_copyFile": files.copy,
    "ModelicaInternal_chdir": files.enter,
    "ModelicaInternal_setenv": files.set_variable,
}
