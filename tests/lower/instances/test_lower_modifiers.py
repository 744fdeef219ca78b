"""Modifications: merging, each, final, arrays, extends, protected (chapter 7)."""

from __future__ import annotations

from lower_case import Case, Refusal, check_refusal, check_values, named

VALUES = [
    Case(
        "nested array modifications",
        """
        model A
          parameter Real p=1;
          Real y=p;
        end A;
        model B
          A a[2];
        end B;
        model M
          B b[3](a(p={{1,2},{3,4},{5,6}}));
        end M;
        """,
        {"b[2].a[1].y": 3, "b[3].a[2].y": 6},
    ),
    Case(
        "each a each p",
        """
        model A
          parameter Real p=1;
          Real y=p;
        end A;
        model B
          A a[2];
        end B;
        model M
          B b[3](each a(each p=7));
        end M;
        """,
        {"b[2].a[1].y": 7},
    ),
    Case(
        "each a p vector",
        """
        model A
          parameter Real p=1;
          Real y=p;
        end A;
        model B
          A a[2];
        end B;
        model M
          B b[3](each a(p={7,8}));
        end M;
        """,
        {"b[2].a[2].y": 8},
    ),
    Case(
        "vector each p",
        """
        model A
          parameter Real p[2]={1,1};
          Real y=p[1]+10*p[2];
        end A;
        model M
          A a[3](each p={7,8});
        end M;
        """,
        {"a[2].y": 87},
    ),
    Case(
        "vector p",
        """
        model A
          parameter Real p[2]={1,1};
          Real y=p[1]+10*p[2];
        end A;
        model M
          A a[3](p={{7,8},{9,10},{11,12}});
        end M;
        """,
        {"a[2].y": 109},
    ),
    Case(
        "constant modification",
        """
        model A
          constant Real p=1;
          Real y=p;
        end A;
        model M
          A a(p=2);
        end M;
        """,
        {"a.y": 2},
    ),
    Case(
        "protected ok in extends",
        """
        model A
        protected
          parameter Real p=1;
        end A;
        model M
          extends A(p=3);
          Real x=p;
        end M;
        """,
        {"x": 3},
    ),
    Case(
        "extends two",
        """
        model A
          Real x=1;
        end A;
        model B
          Real y=2;
        end B;
        model M
          extends A;
          extends B;
          Real z=x+y;
        end M;
        """,
        {"z": 3},
    ),
    Case(
        "extends modification nested",
        """
        model A
          parameter Real p=1;
          Real y=p;
        end A;
        model B
          A a;
        end B;
        model C
          extends B(a(p=3));
        end C;
        model M
          extends C(a(p=4));
          B b2;
        end M;
        """,
        {"a.y": 4, "b2.a.y": 1},
    ),
    Case(
        "extends modification chain",
        """
        model A
          parameter Real p=1;
          parameter Real q=2*p;
        end A;
        model B
          extends A(p=k);
          parameter Real k=5;
        end B;
        model M
          extends B(k=7);
          Real x=p+100*q;
        end M;
        """,
        {"x": 1407},
    ),
    Case(
        "short class",
        """
        model A
          parameter Real p=1;
          Real y=p;
        end A;
        model B = A(p=2);
        model M
          B b;
          B c(p=3);
        end M;
        """,
        {"b.y": 2, "c.y": 3},
    ),
    Case(
        "same declaration inherited and repeated",
        """
        model A
          Real x(start=1)=2 "a";
        end A;
        model M
          extends A;
          Real x(start=1)=2 "b";
        end M;
        """,
        {"x": 2},
    ),
    Case(
        "unit",
        """
        model M
          Real x(unit = "m", displayUnit = "mm", quantity = "Length", nominal = 2, min = -1, max = 10,
            stateSelect = StateSelect.prefer) = time;
        end M;
        """,
        {"x": 1},
    ),
]

REFUSALS = [
    Refusal(
        "oversize array binding",
        """
        model M
          parameter Real x[2] = {1,2,3};
        end M;
        """,
        "E206",
    ),
    Refusal(
        "oversize start",
        """
        model M
          Real x[2](start={1,2,3});
        equation
          x = {1,2};
        end M;
        """,
        "E206",
    ),
    Refusal(
        "undersize",
        """
        model M
          Real x[3] = {1,2};
        end M;
        """,
        "E206",
    ),
    Refusal(
        "scalar for array",
        """
        model M
          Real x[3] = 1;
        end M;
        """,
        "E206",
    ),
    Refusal(
        "outer oversize",
        """
        model A
          parameter Real p=1;
        end A;
        model M
          A a[2](p={1,2,3});
        end M;
        """,
        "E206",
    ),
    Refusal(
        "duplicate modification",
        """
        model A
          parameter Real p=1;
        end A;
        model M
          A a(p=2, p=3);
        end M;
        """,
        "E207",
    ),
    Refusal(
        "duplicate modification attribute",
        """
        model M
          Real x(start=1, start=2);
        equation
          der(x)=1;
        end M;
        """,
        "E207",
    ),
    Refusal(
        "final modification",
        """
        model A
          final parameter Real p=1;
        end A;
        model M
          A a(p=2);
        end M;
        """,
        "E207",
    ),
    Refusal(
        "final in modifier",
        """
        model A
          parameter Real p=1;
        end A;
        model B
          A a(final p=3);
        end B;
        model M
          B b(a(p=2));
        end M;
        """,
        "E207",
    ),
    Refusal(
        "protected modification",
        """
        model A
        protected
          parameter Real p=1;
        end A;
        model M
          A a(p=2);
        end M;
        """,
        "E207",
    ),
    Refusal(
        "protected access",
        """
        model A
        protected
          Real p=1;
        end A;
        model M
          A a;
          Real x=a.p;
        end M;
        """,
        "E209",
    ),
    Refusal(
        "duplicate component",
        """
        model M
          Real x=1;
          Real x=2;
        end M;
        """,
        "E202",
    ),
    Refusal(
        "duplicate inherit",
        """
        model A
          Real x=1;
        end A;
        model M
          extends A;
          Real x=2;
        end M;
        """,
        "E202",
    ),
    Refusal(
        "modification of unknown",
        """
        model A
          Real x=1;
        end A;
        model M
          A a(z=1);
        end M;
        """,
        "E201",
    ),
    Refusal(
        "extends modification unknown",
        """
        model A
          Real x=1;
        end A;
        model M
          extends A(z=1);
        end M;
        """,
        "E201",
    ),
    Refusal(
        "value for model",
        """
        model A
          Real x=1;
        end A;
        model M
          A a=3;
        end M;
        """,
        "E207",
    ),
    Refusal(
        "final field of a constructed record",
        """
        record F
          final parameter Real a;
        end F;
        model M
          F f = F(2);
        end M;
        """,
        "E207",
        ("final",),
    ),
    Refusal(
        "attribute unknown",
        """
        model M
          Real x(stat=1);
        equation
          der(x)=0;
        end M;
        """,
        "E201",
    ),
    Refusal(
        "attribute type",
        """
        model M
          Real x(start="a");
        equation
          der(x)=0;
        end M;
        """,
        "E205",
    ),
    Refusal(
        "fixed type",
        """
        model M
          Real x(fixed=1);
        equation
          der(x)=0;
        end M;
        """,
        "E205",
    ),
    Refusal(
        "model extends connector",
        """
        connector C
          Real v;
        end C;
        model M
          extends C;
        equation
          v=1;
        end M;
        """,
        "E209",
    ),
]


@named(VALUES)
def test_values(case: Case) -> None:
    check_values(case)


@named(REFUSALS)
def test_refusals(case: Refusal) -> None:
    check_refusal(case)
