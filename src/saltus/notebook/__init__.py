"""What a person uses in a notebook, beside what models and results show of themselves (`saltus.show.cards`).

extension  %load_ext saltus: warnings below cells, and the magic
magic      %%modelica: a cell is a model
sliders    parameters as sliders; needs ipywidgets, the extra `saltus[notebook]`
knobs      a parameter -> the range of its slider
"""
