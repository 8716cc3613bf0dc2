import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** The certificate and the key for HTTPS, both in PEM. */
export interface TlsFiles {
  readonly certificate: Buffer;
  readonly key: Buffer;
}

/**
 * Reads the files that TLS_CERT_FILE and TLS_KEY_FILE name. Checks that both can be read and are PEM, that they belong together, and that
 * OpenSSL accepts them.
 * @param present the environment without empty variables
 * @param now the time at which the certificate should be valid
 * @returns `tls`: the certificate and the key, or null if one of the variables is not set or one of the files cannot be read or parsed;
 *   `problems`: all problems, each with the name of its variable; `warnings`: a warning if the certificate is not valid at `now`
 */
export function readTls(
  present: Readonly<Record<string, string | undefined>>,
  now: Date,
): { readonly tls: TlsFiles | null; readonly problems: readonly string[]; readonly warnings: readonly string[] } {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = present;
  const problems: string[] = [];
  if ((certFile === undefined) !== (keyFile === undefined))
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE must both be set, or neither');
  const attempt = <Value>(work: () => Value): Value | undefined => {
    try {
      return work();
    } catch (error) {
      problems.push((error as Error).message);
      return undefined;
    }
  };
  const certificate = attempt(() => readCertificate(certFile));
  const key = attempt(() => readKey(keyFile));
  if (certificate === undefined || key === undefined) return { tls: null, problems, warnings: [] };
  if (!certificate.parsed.checkPrivateKey(key.parsed)) {
    problems.push(`TLS_KEY_FILE ${keyFile} is not the key of the certificate in TLS_CERT_FILE ${certFile}`);
  } else {
    attempt(() => requireUsable({ certificate: certificate.pem, key: key.pem }));
  }
  return {
    tls: { certificate: certificate.pem, key: key.pem },
    problems,
    warnings: validityWarnings(certificate.parsed, { certFile, now }),
  };
}

function readCertificate(path: string | undefined): { pem: Buffer; parsed: X509Certificate } | undefined {
  if (path === undefined) return undefined;
  const pem = readPem('TLS_CERT_FILE', path);
  try {
    return { pem, parsed: new X509Certificate(pem) };
  } catch {
    throw new Error(`TLS_CERT_FILE ${path} contains no certificate in PEM ("-----BEGIN CERTIFICATE-----")`);
  }
}

function readKey(path: string | undefined): { pem: Buffer; parsed: KeyObject } | undefined {
  if (path === undefined) return undefined;
  const pem = readPem('TLS_KEY_FILE', path);
  try {
    return { pem, parsed: createPrivateKey(pem) };
  } catch {
    // An encrypted key contains the word ENCRYPTED in its first line or, in the older PEM format, in a header.
    if (pem.includes('ENCRYPTED')) {
      throw new Error(
        `TLS_KEY_FILE ${path} is encrypted: decrypt it, and restrict the permissions of the file instead`,
      );
    }
    throw new Error(`TLS_KEY_FILE ${path} contains no private key in PEM ("-----BEGIN PRIVATE KEY-----")`);
  }
}

function readPem(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${variable} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/**
 * Throws if OpenSSL rejects the files. OpenSSL finds faults that the other checks of this module do not find, for example a key that is too
 * short, or a malformed certificate after the first one.
 */
function requireUsable(files: TlsFiles): void {
  try {
    createSecureContext({ cert: files.certificate, key: files.key });
  } catch (error) {
    throw new Error(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${(error as Error).message}`);
  }
}

function validityWarnings(
  { validFrom, validTo }: X509Certificate,
  { certFile, now }: { readonly certFile: string | undefined; readonly now: Date },
): string[] {
  const name = `The certificate in TLS_CERT_FILE ${certFile}`;
  if (now > new Date(validTo)) return [`${name} expired on ${validTo}; clients will refuse it until it is renewed.`];
  if (now < new Date(validFrom)) return [`${name} is valid only from ${validFrom}; clients will refuse it until then.`];
  return [];
}
