"""Passwords as IOS keeps them: secrets of type 9, which is scrypt, and the scrambled ones of type 7."""

import base64
import hashlib
import hmac
import re
import secrets

ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SALT_LENGTH = 14
KEY = "dsfd;kfoA,.iyewrkldJKDHSUBsgvca69834ncxv9873254k;fg87"
OFFSET = 8
SALTED = re.compile(r"\$9\$([./0-9A-Za-z]+)\$[./0-9A-Za-z]+")
SCRAMBLED = re.compile(r"[0-9]{2}(?:[0-9A-Fa-f]{2})*")


def hide(password: str, salt: str | None = None) -> str:
    """The hash of a password, with the salt it was made with."""
    salt = salt or "".join(secrets.choice(ALPHABET) for _ in range(SALT_LENGTH))
    digest = hashlib.scrypt(password.encode(), salt=salt.encode(), n=16384, r=1, p=1, dklen=32)
    encoded = base64.b64encode(digest).decode().rstrip("=").translate(str.maketrans(STANDARD, ALPHABET))
    return f"$9${salt}${encoded}"


def scramble(password: str) -> str:
    """A password of type 7, which hides it from a glance and no more."""
    pairs = (ord(sign) ^ ord(KEY[(OFFSET + at) % len(KEY)]) for at, sign in enumerate(password))
    return f"{OFFSET:02}" + "".join(f"{code:02X}" for code in pairs)


def unscramble(scrambled: str) -> str:
    """The password behind one of type 7."""
    offset, codes = int(scrambled[:2]), bytes.fromhex(scrambled[2:])
    return "".join(chr(code ^ ord(KEY[(offset + at) % len(KEY)])) for at, code in enumerate(codes))


def opens(password: str, kept: str) -> bool:
    """Whether a password is the one that was kept, as a hash of type 9 or in the clear."""
    kind, _, hashed = kept.partition(" ")
    if kind == "9" and (salted := SALTED.fullmatch(hashed)):
        return hmac.compare_digest(hide(password, salted[1]), hashed)
    if kind == "7" and SCRAMBLED.fullmatch(hashed):
        return hmac.compare_digest(password.encode(), unscramble(hashed).encode())
    return hmac.compare_digest(password.encode(), kept.encode())
