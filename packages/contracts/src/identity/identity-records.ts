import * as z from 'zod';
import { timestamp } from '../values/fields.js';

/** A new user of the embedded identity provider. */
export const userRecord = z.strictObject({
  userId: z.uuid(),
  email: z.string(),
  displayName: z.string().nullable(),
  createdAt: timestamp,
});

export type User = z.output<typeof userRecord>;

/** A session with its tokens. The access token is valid for at most 15 minutes, the refresh token for one use. */
export const sessionRecord = z.strictObject({
  sessionId: z.uuid(),
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresAt: timestamp,
  refreshToken: z.string(),
  refreshExpiresAt: timestamp,
  totpEnrolled: z.boolean(),
});

export type Session = z.output<typeof sessionRecord>;

export const meRecord = z.strictObject({
  userId: z.uuid(),
  email: z.string().nullable(),
  displayName: z.string().nullable(),
  totpEnrolled: z.boolean(),
});

export type Me = z.output<typeof meRecord>;

/** The secret for an authenticator app. The server returns it only once. */
export const totpEnrolmentRecord = z.strictObject({
  secret: z.string().regex(/^[A-Z2-7]+$/),
  otpauthUri: z.string().startsWith('otpauth://totp/'),
});

export type TotpEnrolment = z.output<typeof totpEnrolmentRecord>;

/** An access token whose claim `amr` contains the time when the one-time code was verified. */
export const steppedUpRecord = z.strictObject({ accessToken: z.string(), expiresAt: timestamp });

export type SteppedUp = z.output<typeof steppedUpRecord>;
