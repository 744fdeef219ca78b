"""The reference back end: program to Python source, with which native code is compared.

recall  histories asked, in Python
ieee    arithmetic as floating-point hardware does it
python  program to Python source: `python_machine`
"""
