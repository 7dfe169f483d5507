"""Tests of wlkg.studies."""
