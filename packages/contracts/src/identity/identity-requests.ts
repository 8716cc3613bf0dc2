import * as z from 'zod';
import { emailField } from '../context/context-requests.js';
import { absentIfNull, optionalText, refuse } from '../values/fields.js';
import { nameLengthMax } from '../values/limits.js';

// A password is not trimmed or normalised, because two different passwords must not count as the same.
const newPasswordField = z
  .string()
  .meta({ format: 'password', minLength: 12, maxLength: 128 })
  .transform((password, context) => {
    const length = [...password].length;
    if (length < 12) refuse(context, 'OUT_OF_RANGE', 'Choose a password of at least 12 characters.');
    if (length > 128) refuse(context, 'TOO_LONG', 'Choose a password of at most 128 characters.');
    if (!password.isWellFormed()) refuse(context, 'INVALID_FORMAT', 'Remove lone surrogates.');
    return password;
  });

export const createUserBody = z.strictObject({
  email: emailField,
  password: newPasswordField,
  displayName: absentIfNull(optionalText({ field: 'displayName', lengthMax: nameLengthMax, multiline: false })),
});

// The maximum length prevents the server from hashing a long text. There is no minimum length, because at login a password that
// is too short for a new user is simply a wrong password.
export const createSessionBody = z.strictObject({ email: emailField, password: z.string().max(1024) });

export const refreshSessionBody = z.strictObject({ refreshToken: z.string().min(1).max(1024) });

/**
 * The body with a one-time code: six digits. The server rejects a malformed code with 400 and does not count it as a failed attempt.
 * @source docs/contract.md, section 10a
 */
export const totpCodeBody = z.strictObject({ code: z.string().regex(/^\d{6}$/, 'Send the six digits of the code.') });

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateUserInput = z.input<typeof createUserBody>;
export type CreateSessionInput = z.input<typeof createSessionBody>;
export type RefreshSessionInput = z.input<typeof refreshSessionBody>;
export type TotpCodeInput = z.input<typeof totpCodeBody>;
