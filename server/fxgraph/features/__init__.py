"""One pure file per question: a snapshot and a document offset in, plain data with document spans out."""
