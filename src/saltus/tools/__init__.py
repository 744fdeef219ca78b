"""What a person uses: the command line. May import every other part.

More than 15 modules, because commands that have little in common have one each.

cli               the commands and their options, made from the table of options
model_commands    simulate, check, flat, explain, describe, draw
linear_commands   steady, linearise
realtime_command  realtime
report_command    report, once or on every save
export_command    export
watching          files, and when they are saved
page_server       a page that a browser shows anew when it changes
loading           what a command names
drawing_command   draw
editor_command    lsp
checking          check, on all models of a package
check_jobs        many checks, in one process or in several
library_commands  components, gallery, new, convert, lsp
result_commands   compare
gallery_tour      gallery NAME: a model of the papers, run
starting_model    new: a model to begin with
outputs           the files of a run
progress          progress bars
ending            how a command ends
timings           where its time went
"""
