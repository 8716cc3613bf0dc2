// Words that the prose check reports, each with the words to write instead. Patterns match case-insensitively. They
// exclude some ordinary senses of the words, such as "tell apart" and "round trip".

/** Returns a pattern of textlint-rule-terminology for whole words; a space also matches a line break. */
const words = (pattern) => `(?<![-\\w./])(?:${pattern.replaceAll(' ', '\\s+')})(?![-\\w])`;

/** @type {[pattern: string, replacement: string][]} */
export const discouragedWords = [
  // Programs do not speak, hear or know.
  ['(?:told|tells?|telling)(?! apart)', 'report, return, log or print'],
  ['hears?|heard', 'receive'],
  ['(?:keeps?|kept) that', 'record that'],
  ['(?:is|are) known to', 'name the fact'],
  [
    '(?:server|client|program|process|command|database|PostgreSQL|cli|api|driver|it) (?:knows|learns)',
    'read, return or have',
  ],
  // People and processes have names.
  ['somebody(?: else)?|someone(?: else)?', 'the caller, the user or another request'],
  ['nobody|no one', 'no caller, no user or no request'],
  ['strangers?', 'another user or an unknown caller'],
  ['twins?', 'concurrent duplicate'],
  ['whoever|whomever', 'the caller who'],
  ['whichever', 'any'],
  // Metaphors for mechanisms that have a name.
  ['trips?(?<!round trip|round trips|round-trip|round-trips)', 'batch'],
  ['travels? together', 'be sent in one batch'],
  ['passengers?', 'queued statement'],
  ['single[- ]flight', 'keyed mutex'],
  ['patience', 'timeout'],
  ['so long (?:has|as has) one', 'name the limit'],
  ['take turns|takes turns|took turns|(?:its|their|whose|the next|a) turn', 'alternate, or name the semaphore'],
  ['until decided', 'retry the transaction'],
  ['let in|lets in|admits?|admitted', 'authenticate or authorize'],
  ['corridors?', 'middleware'],
  ['(?:the|this|our|its) houses?', 'package or module'],
  ['(?:the|this|its) (?:law|laws)', 'specification'],
  ['(?:the|a|this|own|one) (?:door|doors)', 'entry point or middleware'],
  ['misguess(?:ed|es)?', 'the prediction was wrong'],
  ['looks? ahead|looking ahead|look-ahead', 'prefetch'],
  ['unseals?|forget-sealed|seals?', 'encrypt or decrypt'],
  ['side letters?', 'debit and credit codes'],
  ['sign habits?', 'sign convention'],
  ['separator votes?', 'separator detection'],
  ['surroundings', 'environment or dependencies'],
  ['wishes', 'options'],
  ['asides?', 'skipped lines'],
  ['shel(?:f|ves)', 'store'],
  ['remarks?', 'warning'],
  ['figures?', 'metric, measurement or number'],
  ['standing of', 'limit status'],
  ['strikes? out|struck out', 'redact'],
  ['(?:ask|asks|asked) (?:the|a) (?:server|api|database|provider)', 'send a request to, or query'],
  ['(?:is|are|was|were) (?:under way|underway)', 'run, or be in progress'],
  ['(?:stands?|stood) (?:for itself|by itself|there|here)', 'be, or exist'],
  ['(?:cannot|could not|can not|can) be (?:had|made sure)', 'name what failed'],
  ['let none|let nobody', 'do not'],
].map(([pattern, replacement]) => [words(pattern), replacement]);

/**
 * A sentence, not a question, that starts with a clause as its subject. To compute a replacement, textlint-rule-terminology
 * matches the pattern against `xyz <finding> xyz`, so the pattern also accepts the prefix `xyz `.
 */
const clauseAsSubject = String.raw`(?<=\.\s+|(?<![\s\S])|^xyz )(?:what(?! to do)|whether)\s[^.?]*\.`;
discouragedWords.push([clauseAsSubject, 'a noun as the subject']);

/** A sentence with more words than this counts as long. */
export const sentenceWordsMax = 35;
