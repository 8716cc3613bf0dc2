import * as z from 'zod';
import { roles } from '../scopes.js';
import { currencyField, nameField, refuse, refuseForbiddenCharacters, uuidField } from '../values/fields.js';
import { findTimeZone } from '../values/time-zone.js';

export const chooseTrackerBody = z.strictObject({ trackerId: uuidField });

// Offsets such as "+02:00" are rejected as time zones: PostgreSQL reads them with the opposite sign, and they have no daylight saving time.
const timeZoneField = z
  .string()
  .meta({ pattern: '^[A-Za-z]', description: 'An IANA time zone, in any letter case.', examples: ['Europe/Madrid'] })
  .transform((text, context) => {
    const zone = findTimeZone(text);
    if (zone === undefined) refuse(context, 'INVALID_FORMAT', 'Send an IANA time zone, such as "Europe/Madrid".');
    return zone ?? text;
  });

export const createTrackerBody = z.strictObject({
  name: nameField,
  currencyCode: currencyField,
  timeZone: timeZoneField,
});

export const updateTrackerBody = z
  .strictObject({ name: nameField.optional(), timeZone: timeZoneField.optional() })
  .meta({ minProperties: 1 })
  .transform((body, context) => {
    if (Object.keys(body).length === 0) refuse(context, 'EMPTY_PATCH', 'Send at least one of name and timeZone.');
    return body;
  });

/**
 * An e-mail address, trimmed and normalised to NFC. The database compares addresses in lower case. The server does not verify that the
 * user receives mail at the address.
 * @source docs/contract.md, section 10a
 */
export const emailField = z
  .string()
  .meta({
    maxLength: 254,
    pattern: '^\\s*[^\\s@\\u0000-\\u001F\\u007F-\\u009F]+@[^\\s@\\u0000-\\u001F\\u007F-\\u009F]+\\s*$',
    examples: ['ana@example.org'],
  })
  .transform((text, context) => {
    const email = text.trim().normalize('NFC');
    refuseForbiddenCharacters(email, { context, field: 'email', kind: 'email' });
    if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/u.test(email)) {
      refuse(context, 'INVALID_FORMAT', 'Send an e-mail address.');
    }
    return email;
  });

export const addMemberBody = z.strictObject({ email: emailField, role: z.enum(roles) });

export const changeMemberRoleBody = z.strictObject({ role: z.enum(roles) });

// The input types of the schemas above: values as clients send them, before any conversion.
export type CreateTrackerInput = z.input<typeof createTrackerBody>;
export type UpdateTrackerInput = z.input<typeof updateTrackerBody>;
export type AddMemberInput = z.input<typeof addMemberBody>;
export type ChangeMemberRoleInput = z.input<typeof changeMemberRoleBody>;
