"""Certificates, and what came of checking them, as data and as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.text import Text

from wlkg.analysis.certificates.certificate import Certificate
from wlkg.reports.styles import remark, verdict
from wlkg.reports.terminal import console, printable
from wlkg.verification.verify import Verification


def certificate_document(certificate: Certificate) -> dict[str, Any]:
    """What ``wlkg certify --json`` prints; the certificate itself is in its file."""
    return {
        "kind": certificate.kind,
        "test": certificate.test,
        "direction": certificate.document["direction"],
        "graphs": certificate.document["graphs"],
        "claim": certificate.claim,
    }


def print_certificate(certificate: Certificate, path: str, seconds: float) -> None:
    """What was certified, and where the certificate is."""
    out = console()
    out.print(Text(f"{certificate.kind}: {certificate.claim}"), soft_wrap=True)
    out.print(Text(f"certificate: {printable(path)}"), soft_wrap=True)
    direction = certificate.document["direction"]
    out.print(remark(f"direction {direction}; certified in {seconds:.3f} s"))


def verification_document(verification: Verification) -> dict[str, Any]:
    """What ``wlkg verify --json`` prints."""
    return {**asdict(verification), "reasons": list(verification.reasons)}


def print_verification(verification: Verification, seconds: float) -> None:
    """Whether the certificate holds, what that means, and what it rests on or why it fails."""
    out = console()
    if verification.valid:
        out.print(verdict("valid"), Text(f"({verification.kind})"))
        out.print(Text(verification.claim), soft_wrap=True)
        out.print(Text(f"rests on {printable(verification.rests_on)}"), soft_wrap=True)
    else:
        out.print(verdict("does not hold"), Text(f"({verification.kind})"))
        for reason in verification.reasons:
            out.print(Text(f"  {printable(reason)}"), soft_wrap=True)
    out.print(remark(f"direction {verification.direction}; verified in {seconds:.3f} s"))
