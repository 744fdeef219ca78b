"""What is shown to people: the flat model as text, the sorted equations, plots.

    flat      flat model -> Modelica text
    dump      instance, hybrid model, program -> text, for --dump
    sorted    structure -> the listing of `saltus explain`
    plot      result -> matplotlib figure
"""
