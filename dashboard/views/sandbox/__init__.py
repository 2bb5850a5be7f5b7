"""Sandbox: what if I move this mention?"""
