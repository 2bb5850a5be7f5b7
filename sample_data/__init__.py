"""Sample documents, two resolvers of ours and their outputs; README.md says what each is."""
