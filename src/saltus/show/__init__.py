"""What is shown to people: the flat model as text, the sorted equations, plots.

    flat      flat model -> Modelica text
    sorted    structure -> the listing of `saltus explain`
    plot      result -> matplotlib figure
"""
