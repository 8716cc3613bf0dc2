/** One secret in the keychain of the system. */
export interface Keychain {
  read(): Promise<string | undefined>;
  write(secret: string): Promise<void>;
  remove(): Promise<void>;
}

/** Opens the keychain for one secret; returns undefined if no keychain works. */
export type OpenKeychain = (account: string) => Promise<Keychain | undefined>;

/**
 * Opens the system's keychain: Keychain on macOS, Credential Manager on Windows, Secret Service on Linux. The keyring of the
 * Linux kernel is not used, because it is emptied when the user logs out of the machine.
 *
 * @returns undefined if the optional package `@napi-rs/keyring` is not installed or the keychain does not work
 */
export const openSystemKeychain: OpenKeychain = async (account) => {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const entry = new AsyncEntry('centavo', account, { linux: { store: 'secret-service' } });
    // Only a read shows whether the keychain works: in a container, the package is often installed, but cannot
    // reach the Secret Service, because there is no D-Bus.
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
