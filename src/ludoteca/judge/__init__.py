"""Verdicts on programs that implement one of the documents: cases made from the rules, and what is wrong in words."""
