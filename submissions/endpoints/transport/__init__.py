"""Transport to untrusted hosts: a single address, checked before, during and after connecting."""
