"""Verdicts on students' programs, and explanations of their failures in words.

**The document** is the text that students implement, such as the rules of a game. It defines one program or several. Each of
them is a `Part` (`core.judging`). A *branch* is one thing that a sentence of the document decides. For example, the sentence
that the suit decides between equal cards has two: a higher suit and a lower suit. A *rule* is a sentence with its branches.

**A case** is one run of a program: its arguments, files, input and right output. Its *steps* are its input lines. Each
has the output that follows it, and the branches that decide this output. So a wrong line leads back to a sentence. Some
parts have *subjects*, such as the predicates of a Prolog program, and each case asks about one of them. An *extra* is a
further thing that at least one case must have. `making` makes cases until everything is covered.

**One program.** `programs` runs it in the arena's sandbox, `comparing` finds the first wrong line, and `verdicts` names the
verdict on each case. `shrinking` looks for a shorter failing case, and `causes` for the sentence that explains a failure.
`rules` counts the rules that a program keeps, for its mark. `judge` calls all these and returns a `Report`, which `reports`
and `pages` write.

**A class** has a *submission* of each student: a file, a folder or an archive. `submissions` and `snapshots` read it,
`compilers` makes its program, and `classes` judges all and writes the table of `tables`. `exports` writes the cases for
other judges.
"""
