"""Sample documents, four resolvers of ours and their outputs; README.md says what each is."""
