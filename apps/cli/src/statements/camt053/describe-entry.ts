import { childrenAt, textAt, textOf, type XmlElement } from '../markup/xml-element.js';
import type { StatementDirection, StatementTransaction } from '../statement-row.js';
import { descriptionCharactersMax, merchantCharactersMax, tidyText } from '../tidy-text.js';

/**
 * Whom the money went to or came from, and the text that came with it. Of the two parties the other one is named; in a
 * reversal, which tells the parties of what is reversed, that is the one on the other side. Where a bank names only one,
 * it is that, unless it is the account's owner.
 */
export function describeEntry(told: {
  readonly entry: XmlElement;
  readonly payment: XmlElement;
  readonly direction: StatementDirection;
  readonly isReversal: boolean;
  readonly ownerName: string | null;
}): Pick<StatementTransaction, 'description' | 'merchantName'> {
  const { entry, payment } = told;
  const isPayer = (told.direction === 'income') !== told.isReversal;
  const others = isPayer ? ['Dbtr', 'Cdtr'] : ['Cdtr', 'Dbtr'];
  const names = others.map((party) => partyName(payment, party)).filter((name) => name !== told.ownerName);
  const remittance = childrenAt(payment, 'RmtInf/Ustrd').flatMap((line) => textOf(line) ?? []);
  const text =
    remittance.length > 0
      ? remittance.join(' ')
      : textAt(payment, 'RmtInf/Strd/CdtrRefInf/Ref', 'RmtInf/Strd/AddtlRmtInf', 'AddtlTxInf');
  return {
    description: tidyText(text ?? textAt(entry, 'AddtlNtryInf'), descriptionCharactersMax),
    merchantName: tidyText(
      names.find((name) => name !== undefined),
      merchantCharactersMax,
    ),
  };
}

/** Since version .08 a party is a person or a bank, one level down. */
function partyName(payment: XmlElement, party: string): string | undefined {
  const place = `RltdPties/${party}`;
  return textAt(payment, `${place}/Nm`, `${place}/Pty/Nm`, `${place}/Agt/FinInstnId/Nm`);
}
