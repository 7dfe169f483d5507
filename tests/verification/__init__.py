"""Tests of ``wlkg.verification``: certificates that hold, and all that must not."""
