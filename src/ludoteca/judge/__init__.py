"""Verdicts on programs that implement a document: cases from the rules, and explanations of failures in words."""
