import * as z from 'zod';
import { emailField } from '../context/context-requests.js';
import { omittable, optionalText, refuse } from '../values/fields.js';

// A password is taken as it is: trimming or normalising it would let two different ones in.
const newPasswordField = z
  .string()
  .meta({ format: 'password', minLength: 12, maxLength: 128 })
  .transform((password, context) => {
    const length = [...password].length;
    if (length < 12) refuse(context, 'OUT_OF_RANGE', 'Choose a password of at least 12 characters.');
    if (length > 128) refuse(context, 'TOO_LONG', 'Choose a password of at most 128 characters.');
    if (!password.isWellFormed()) refuse(context, 'INVALID_FORMAT', 'Remove broken surrogate pairs.');
    return password;
  });

export const createUserBody = z.strictObject({
  email: emailField,
  password: newPasswordField,
  displayName: omittable(optionalText({ field: 'displayName', lengthMax: 100, multiline: false })),
});

// Bounded, so that nobody makes the server hash a long text; a wrong length is simply a wrong password.
export const createSessionBody = z.strictObject({ email: emailField, password: z.string().max(1024) });

export const refreshSessionBody = z.strictObject({ refreshToken: z.string().min(1).max(1024) });

/** Six digits; a malformed code is a 400 and does not count as a failure (contract, section 10a). */
export const totpCodeBody = z.strictObject({ code: z.string().regex(/^\d{6}$/, 'Send the six digits of the code.') });

// What a client sends: the inputs of the schemas above, before trimming and defaults.
export type CreateUserInput = z.input<typeof createUserBody>;
export type CreateSessionInput = z.input<typeof createSessionBody>;
export type RefreshSessionInput = z.input<typeof refreshSessionBody>;
export type TotpCodeInput = z.input<typeof totpCodeBody>;
