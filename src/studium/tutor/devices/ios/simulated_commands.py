"""Commands that FRR lacks: stored on our side and answered as IOS would."""

import base64
import hashlib
import hmac
import re
import secrets

from studium.tutor.devices.ios.session import CliMode, IosOnlyConfig, Session
from studium.tutor.ios.parser import ParsedCommand

ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SALT_LENGTH = 14
KEY = "dsfd;kfoA,.iyewrkldJKDHSUBsgvca69834ncxv9873254k;fg87"
OFFSET = 8
SALTED = re.compile(r"\$9\$([./0-9A-Za-z]+)\$[./0-9A-Za-z]+")
SCRAMBLED = re.compile(r"[0-9]{2}(?:[0-9A-Fa-f]{2})*")


def hash_secret(password: str, salt: str | None = None) -> str:
    """Hash a password with a salt."""
    salt = salt or "".join(secrets.choice(ALPHABET) for _ in range(SALT_LENGTH))
    digest = hashlib.scrypt(password.encode(), salt=salt.encode(), n=16384, r=1, p=1, dklen=32)
    encoded = base64.b64encode(digest).decode().rstrip("=").translate(str.maketrans(STANDARD, ALPHABET))
    return f"$9${salt}${encoded}"


def encrypt_type7(password: str) -> str:
    """Encode a password as type 7, which only obscures it."""
    pairs = (ord(sign) ^ ord(KEY[(OFFSET + at) % len(KEY)]) for at, sign in enumerate(password))
    return f"{OFFSET:02}" + "".join(f"{code:02X}" for code in pairs)


def decrypt_type7(scrambled: str) -> str:
    """Decode a type 7 password."""
    offset, codes = int(scrambled[:2]), bytes.fromhex(scrambled[2:])
    return "".join(chr(code ^ ord(KEY[(offset + at) % len(KEY)])) for at, code in enumerate(codes))


def password_matches(password: str, kept: str) -> bool:
    """Whether a password matches the stored one (type 9 hash or plain text)."""
    kind, _, hashed = kept.partition(" ")
    if kind == "9" and (salted := SALTED.fullmatch(hashed)):
        return hmac.compare_digest(hash_secret(password, salted[1]), hashed)
    if kind == "7" and SCRAMBLED.fullmatch(hashed):
        return hmac.compare_digest(password.encode(), decrypt_type7(hashed).encode())
    return hmac.compare_digest(password.encode(), kept.encode())


DEFAULT_HOSTNAME = "Router"
NACL = {"standard": "std", "extended": "ext"}
FIRST_LINE = {"con": 0, "aux": 1, "vty": 2}  # how IOS numbers its lines
CLEAR_SECRET = re.compile(r"^(username .*\bsecret )(?:0 )?(\S+)$")
CLEAR_PASSWORD = re.compile(r"^((?:.* )?password )(?:0 )?(\S+)$")
HOSTNAME = re.compile(r"[A-Za-z][\w-]{0,62}")


def keep(session: Session, said: ParsedCommand) -> str:
    """Store a line in canonical form."""
    text = CLEAR_SECRET.sub(lambda found: f"{found[1]}9 {hash_secret(found[2])}", said.text)
    session.kept.keep(session.place.section, text, int(said.command.target))
    if session.kept.value("", "service password-encryption") is not None:
        _scramble_passwords(session.kept)
    return ""


def _scramble_passwords(kept: IosOnlyConfig) -> None:
    for lines in kept.sections.values():
        lines[:] = [CLEAR_PASSWORD.sub(lambda found: f"{found[1]}7 {encrypt_type7(found[2])}", line) for line in lines]


def keep_as_typed(session: Session, said: ParsedCommand) -> str:
    """Store a line for an interface that FRR does not have; `no` removes it."""
    if said.words[0] == "no":
        session.kept.drop(session.place.section, " ".join(said.words[1:]))
    else:
        session.kept.keep(session.place.section, said.text, 1 if said.words[0] == "description" else 99)
    return ""


def drop(session: Session, said: ParsedCommand) -> str:
    """Remove what a `no` command names."""
    words = said.words[1:]
    session.kept.drop(session.place.section, " ".join(words[: int(said.command.target)]))
    return ""


def keep_or_drop(session: Session, said: ParsedCommand) -> str:
    """Store a line in canonical form, or remove it if it is written with `no`."""
    if said.words[0] != "no":
        return keep(session, said)
    session.kept.drop(session.place.section, " ".join(said.words[1:]))
    return ""


def default_on(session: Session, said: ParsedCommand) -> str:
    """A setting that is on by default: only its `no` is stored."""
    text = said.text.replace("domain lookup", "domain-lookup")
    if said.words[0] == "no":
        session.kept.keep(session.place.section, text, 99)
    else:
        session.kept.drop(session.place.section, f"no {text}")
    return ""


def drop_no(session: Session, said: ParsedCommand) -> str:
    """Restore a setting that is on by default."""
    session.kept.drop(session.place.section, f"no {said.text}")
    return ""


def domain(session: Session, said: ParsedCommand) -> str:
    """Set the domain name, stored in its older spelling."""
    session.kept.keep("", f"ip domain-name {said.args[0]}", 2)
    return ""


def no_domain(session: Session, _: ParsedCommand) -> str:
    """Remove the domain name."""
    session.kept.drop("", "ip domain-name")
    return ""


def hostname(session: Session, said: ParsedCommand) -> str:
    """Set the hostname."""
    name = said.args[0]
    if not HOSTNAME.fullmatch(name):
        return "% Hostname contains one or more illegal characters."
    session.kept.hostname = name
    return ""


def no_hostname(session: Session, _: ParsedCommand) -> str:
    """Restore the default hostname."""
    session.kept.hostname = DEFAULT_HOSTNAME
    return ""


def secret(session: Session, said: ParsedCommand) -> str:
    """Set the enable password; a secret is stored as a hash."""
    words = said.args[0].split()
    kind = said.words[1]
    if kind == "secret" and len(words) == 1:
        words = ["9", hash_secret(words[0])]
    elif words[0] == "0":
        words = words[1:]
    session.kept.keep("", f"enable {kind} {' '.join(words)}", 2)
    if session.kept.value("", "service password-encryption") is not None:
        _scramble_passwords(session.kept)
    return ""


def keys(session: Session, said: ParsedCommand) -> str:
    """Generate RSA keys, which needs a hostname and a domain."""
    kept = session.kept
    if kept.hostname == DEFAULT_HOSTNAME:
        return "% Please define a hostname other than Router."
    domain_name = kept.value("", "ip domain-name")
    if not domain_name:
        return "% Please define a domain-name first."
    bits = said.args[0] if said.args else "1024"
    kept.has_keys = True
    return (
        f"The name for the keys will be: {kept.hostname}.{domain_name}\n\n% The key modulus size is {bits} bits\n"
        f"% Generating {bits} bit RSA keys, keys will be non-exportable...\n[OK] (elapsed time was 0 seconds)"
    )


def drop_keys(session: Session, _: ParsedCommand) -> str:
    """Remove the RSA keys."""
    had, session.kept.has_keys = session.kept.has_keys, False
    return "" if had else "% No Signature RSA Keys found in configuration."


def line(session: Session, said: ParsedCommand) -> str:
    """Enter a terminal line or a range of them."""
    kind = said.words[1][:3]
    first, last = int(said.args[0]), int(said.args[-1])
    if last < first or (kind != "vty" and last > 0):
        return "%Invalid line number"
    section = " ".join(("line", kind, *said.args))
    session.kept.open(section)
    session.place = CliMode("line", "(config-line)", section)
    return ""


def login(session: Session, said: ParsedCommand) -> str:
    """Enable the login on a line; warn if it has no password."""
    section = session.place.section
    session.kept.drop(section, "no login")
    session.kept.keep(section, said.text, 1)
    if said.words[-1] == "local" or session.kept.value(section, "password") is not None:
        return ""
    _, kind, first, *last = section.split()
    numbers = range(int(first), int(last[0] if last else first) + 1)
    return "\n".join(
        f"% Login disabled on line {FIRST_LINE[kind] + number}, until 'password' is set" for number in numbers
    )


def no_login(session: Session, _: ParsedCommand) -> str:
    """Disable the login on a line."""
    session.kept.keep(session.place.section, "no login", 2)
    session.kept.drop(session.place.section, "login")
    return ""


def access_list(session: Session, said: ParsedCommand) -> str:
    """Enter a named access list."""
    session.kept.open(said.text)
    kind = NACL[said.words[2]]
    session.place = CliMode(kind, f"(config-{kind}-nacl)", said.text)
    return ""


def vlan(session: Session, said: ParsedCommand) -> str:
    """Enter a VLAN."""
    session.kept.open(said.text)
    session.place = CliMode("vlan", "(config-vlan)", said.text)
    return ""


def pool(session: Session, said: ParsedCommand) -> str:
    """Enter a DHCP pool."""
    session.kept.open(said.text)
    session.place = CliMode("dhcp", "(dhcp-config)", said.text)
    return ""


def no_section(session: Session, said: ParsedCommand) -> str:
    """Remove a section."""
    session.kept.close(" ".join(said.words[1:]))
    return ""


def access_vlan(session: Session, said: ParsedCommand) -> str:
    """Assign a port to a VLAN, which is created if missing."""
    number = said.args[0]
    session.kept.keep(session.place.section, said.text, 3)
    if number == "1" or f"vlan {number}" in session.kept.sections:
        return ""
    session.kept.open(f"vlan {number}")
    return f"% Access VLAN does not exist. Creating vlan {number}"


def trunk(session: Session, said: ParsedCommand) -> str:
    """Make a port a trunk; needs an encapsulation first."""
    if session.kept.value(session.place.section, "switchport trunk encapsulation") is None:
        return (
            'Command rejected: An interface whose trunk encapsulation is "Auto" can not be configured to "trunk" mode.'
        )
    session.kept.keep(session.place.section, said.text, 2)
    return ""


def port_security(session: Session, said: ParsedCommand) -> str:
    """Enable port security; not allowed on a dynamic port."""
    section = session.place.section
    if session.kept.value(section, "switchport mode") is None:
        return f"Command rejected: {section.removeprefix('interface ')} is a dynamic port."
    session.kept.keep(section, said.text, 99)
    return ""


SIMULATED_HANDLERS = {
    "keep": keep,
    "drop": drop,
    "keep_or_drop": keep_or_drop,
    "default_on": default_on,
    "drop_no": drop_no,
    "domain": domain,
    "no_domain": no_domain,
    "hostname": hostname,
    "no_hostname": no_hostname,
    "secret": secret,
    "keys": keys,
    "drop_keys": drop_keys,
    "line": line,
    "login": login,
    "no_login": no_login,
    "access_list": access_list,
    "vlan": vlan,
    "pool": pool,
    "no_section": no_section,
    "access_vlan": access_vlan,
    "trunk": trunk,
    "port_security": port_security,
}
