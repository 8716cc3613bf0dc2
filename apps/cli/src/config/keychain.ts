/** The keychain of the system, as far as one secret of Centavo is concerned. */
export interface Keychain {
  read(): Promise<string | undefined>;
  write(secret: string): Promise<void>;
  remove(): Promise<void>;
}

/** Opens the keychain for one secret; undefined where there is none that works. */
export type OpenKeychain = (account: string) => Promise<Keychain | undefined>;

/**
 * Opens the system's keychain: Keychain on macOS, Credential Manager on Windows, Secret Service on Linux. There the
 * kernel's keyring would do as well, but it forgets everything at the end of the login, and so is not asked.
 *
 * @returns undefined where the optional package is not installed, or the keychain cannot even be asked
 */
export const openSystemKeychain: OpenKeychain = async (account) => {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const entry = new AsyncEntry('centavo', account, { linux: { store: 'secret-service' } });
    // Only an answer shows that it works: in a container there is often the program and no bus to reach it by.
    await entry.getPassword();
    return {
      read: async () => (await entry.getPassword()) ?? undefined,
      write: (secret) => entry.setPassword(secret),
      remove: async () => {
        await entry.deletePassword();
      },
    };
  } catch {
    return undefined;
  }
};
