"""stub to be replaced"""


def main():
    pass
