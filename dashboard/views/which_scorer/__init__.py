"""The page Which scorer?"""
