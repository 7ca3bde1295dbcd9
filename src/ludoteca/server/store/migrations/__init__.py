"""The steps that change the tables of an older database into those of this version. `store.schema` runs them. Each file in
`versions` is one step.
"""
