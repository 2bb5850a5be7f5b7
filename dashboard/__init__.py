"""The app: pages over `corescore`, and the only code that knows Streamlit."""
