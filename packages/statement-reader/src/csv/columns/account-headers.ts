import { headerDictionary, headerList, headerWords } from '../table/header-names.js';

/**
 * Headers of account numbers. To the left of the date, a column with such a header has the account of the statement. To the right of the
 * date, it usually has the account of the counterparty. There, it has the account of the statement only if no row leaves it empty, and one
 * of these is true:
 *
 * - The header is in {@link ownNumberHeaders}, and the column directly to its left does not have the name of the counterparty.
 * - Another column has the account number of the counterparty.
 */
const numberHeaders: ReadonlySet<string> = new Set(
  [
    'account number',
    'account no',
    'account num',
    'account id',
    'account iban',
    'bank account',
    'own account',
    'my account',
    'eigenes konto',
    'bankkonto',
    'konto nr',
    'nr rachunku',
    'kontonummer',
    'kontonr',
    'účet',
    'číslo účtu',
    'számlaszám',
    'rachunek',
    'номер счета',
    'auftragskonto',
    'iban auftragskonto',
    'iban',
    'iban bban',
    'rekeningnummer',
    'numéro de compte',
    'número de cuenta',
    'numero conto',
    'numer rachunku',
    'numer rachunku karty',
    // In exports of Revolut, `Product` names the account: `Current` or `Savings`.
    'product',
    'produkt',
    'produit',
  ].map(headerWords),
);

/**
 * Headers of columns that name the kind of the account in exports of Revolut. To the right of the date, a broker may have the names of
 * shares in such a column. So to the right of the date, the column is used only if all its names are in {@link accountKinds}.
 */
export const productHeaders: ReadonlySet<string> = new Set(headerList('product; produkt; produit'));

/** The kinds of accounts in a column such as `Product`. */
export const accountKinds: ReadonlySet<string> = new Set(
  'current,checking,savings,deposit,deposits,pocket,pockets,aktuell,girokonto,sparkonto,tagesgeld,tagesgeldkonto'.split(
    ',',
  ),
);

/**
 * Headers of columns that name a pot: a part of an account with its own balance, for example for savings. In the rows of the main account,
 * the cell is empty.
 */
export const potHeaders: ReadonlySet<string> = new Set(
  headerList('pot; pot name; space; space name; vault; vault name; bucket; bucket name'),
);

/**
 * Headers of columns that name the part of the account, such as `Main` or `Holidays`, to which a row belongs. If every row has a name, each
 * part is an account of the user. `Pocket` and `Wallet` are missing, because the account column of some apps has these headers. `Bucket` is
 * missing, because budget apps have categories in such a column.
 */
export const partHeaders: ReadonlySet<string> = new Set(
  headerList(`
    pot; pot name; pots; space; space name; spaces; vault; vault name; vaults;
    sub account; sub account name; subaccount; subaccount name`),
);

/**
 * Headers of columns with a detail of the statement's own account. The name of the account is in another column. In exports of Copilot, the
 * detail is the last digits of the account number. In exports of GnuCash, it is the full name, which begins with the names of all parent
 * accounts, such as `Assets:Checking`.
 */
export const detailHeaders: ReadonlySet<string> = new Set(['account mask', 'full account name'].map(headerWords));

/** Headers of account numbers that some exports, such as British and American ones, have to the right of the date. */
const ownNumberHeaders: ReadonlySet<string> = new Set(
  ['account number', 'account no', 'account num', 'account id'].map(headerWords),
);

/** Headers of the account number of the counterparty. */
const counterpartyNumberHeaders: ReadonlySet<string> = new Set(
  headerList(`
    číslo protiúčtu; protiúčet; partner számlaszáma; tegenrekening; rekening tegenpartij; tegenpartij van de verrichting;
    gegenkonto; iban zahlungsbeteiligter; compte contrepartie; counterparty account; counterparty iban; partner iban; na konto z konta`),
);

/** Returns the position of the column with the account of the statement in each row; undefined if there is none. */
export function findOwnAccountPosition(headers: readonly string[], datePosition: number): number | undefined {
  const known = headers.map(headerWords);
  const hasCounterparty = known.some((words) => counterpartyNumberHeaders.has(words));
  const position = known.findIndex(
    (words, index) =>
      (ownNumberHeaders.has(words) && !headerDictionary.merchant.includes(known[index - 1] ?? '')) ||
      (numberHeaders.has(words) && (index < datePosition || (hasCounterparty && !productHeaders.has(words)))),
  );
  return position === -1 ? undefined : position;
}
