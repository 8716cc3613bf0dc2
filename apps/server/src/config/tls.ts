import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** What HTTPS is served with, both in PEM. */
export interface TlsFiles {
  readonly certificate: Buffer;
  readonly key: Buffer;
}

/**
 * Reads the files of TLS_CERT_FILE and TLS_KEY_FILE and judges them as far as can be done without a client: that they can
 * be read, are PEM, belong together, and that OpenSSL takes them.
 * @param present the environment without empty variables
 * @param now the time that the certificate should be valid at
 * @returns null without both files, every mistake with the variable that it is in, and what is only worth a warning
 */
export function readTls(
  present: Readonly<Record<string, string | undefined>>,
  now: Date,
): { readonly tls: TlsFiles | null; readonly mistakes: readonly string[]; readonly warnings: readonly string[] } {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = present;
  const mistakes: string[] = [];
  if ((certFile === undefined) !== (keyFile === undefined)) mistakes.push('TLS_CERT_FILE and TLS_KEY_FILE go together');
  const attempt = <Value>(act: () => Value): Value | undefined => {
    try {
      return act();
    } catch (error) {
      mistakes.push((error as Error).message);
      return undefined;
    }
  };
  const certificate = attempt(() => readCertificate(certFile));
  const key = attempt(() => readKey(keyFile));
  if (certificate === undefined || key === undefined) return { tls: null, mistakes, warnings: [] };
  if (!certificate.parsed.checkPrivateKey(key.parsed)) {
    mistakes.push(`TLS_KEY_FILE ${keyFile} is not the key of the certificate in TLS_CERT_FILE ${certFile}`);
  } else {
    attempt(() => requireUsable({ certificate: certificate.pem, key: key.pem }));
  }
  return {
    tls: { certificate: certificate.pem, key: key.pem },
    mistakes,
    warnings: validityWarnings(certificate.parsed, { certFile, now }),
  };
}

function readCertificate(path: string | undefined): { pem: Buffer; parsed: X509Certificate } | undefined {
  if (path === undefined) return undefined;
  const pem = readPem('TLS_CERT_FILE', path);
  try {
    return { pem, parsed: new X509Certificate(pem) };
  } catch {
    throw new Error(`TLS_CERT_FILE ${path} holds no certificate in PEM ("-----BEGIN CERTIFICATE-----")`);
  }
}

function readKey(path: string | undefined): { pem: Buffer; parsed: KeyObject } | undefined {
  if (path === undefined) return undefined;
  const pem = readPem('TLS_KEY_FILE', path);
  try {
    return { pem, parsed: createPrivateKey(pem) };
  } catch {
    // Said in its first line, or in a header of the older form.
    if (pem.includes('ENCRYPTED')) {
      throw new Error(`TLS_KEY_FILE ${path} is encrypted: decrypt it, and keep the file from others instead`);
    }
    throw new Error(`TLS_KEY_FILE ${path} holds no private key in PEM ("-----BEGIN PRIVATE KEY-----")`);
  }
}

function readPem(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${variable} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The rest of a chain, the length of a key, and what else OpenSSL has an opinion on. */
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
  if (now < new Date(validFrom)) return [`${name} is valid from ${validFrom} only; clients will refuse it until then.`];
  return [];
}
