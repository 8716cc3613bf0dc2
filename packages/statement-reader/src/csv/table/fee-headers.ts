import { headerList, headerWords } from './header-names.js';

/** Headers of fees that a bank charges in addition to the amount of a row. Duties, tips and refunds are treated like such fees. */
export const feeHeaders: ReadonlySet<string> = new Set(
  headerList(`
    fee; fees; fee amount; amount fee; transaction fee; transaction fees; transfer fee; service fee; bank fee; source fee amount;
    transaction cost; transaction costs; bank costs; transfer costs; service charge; service charges; bank charge; bank charges;
    foreign transaction charge; foreign transaction charges; foreign exchange charge; foreign exchange charges;
    international transaction charge; international transaction charges; handling charge; handling charges;
    total fees; commission; commissions; gebühr; gebühren; entgelt; provision; frais; commission bancaire; comisión; comisiones; commissione; commissioni; comissão; prowizja; opłata; avgift; gebyr; poplatek; комиссия; komisyon; tarifa; tarifas; tariffa; tariffe;
    kosten; kosten op verrichting; vergoeding; taxa; taxas; 手数料; 手续费; 수수료;
    手続費; 手續費; 服务费; 服務費; costo; costos; costi; spese; gastos; díj; díjak; jutalék; mokestis; mokesčiai; komisija; προμήθεια; έξοδα; ücret;
    masraf; naknada; provizija; такса; poplatok; poplatky; palvelumaksu; biaya; teenustasu; iof; itf; cash advance charge;
    cash advance charges; stamp duty; levy; tip; tips; gratuity; trinkgeld; pourboire; propina; mancia; fooi; amount refunded; refunded amount`),
);

/**
 * Returns whether a header names a fee that a bank charges in addition to the amount of a row. Each header of
 * {@link feeHeaders} names such a fee. Another header names such a fee if it contains a word for a fee, such as `Transaktionskosten` or
 * `FEES/COMMISSION`, and does not match {@link noFee}.
 */
export function namesFee(header: string): boolean {
  const words = headerWords(header).replace(amountOf, '');
  if (feeHeaders.has(words)) return true;
  return !noFee.test(words) && words.split(' ').some((word) => feeWords.has(word) || feeEnding.test(word));
}

/** Returns whether a header contains a word for a fee. The header may name the fee, or something else such as the currency of the fee. */
export function hasFeeWord(header: string): boolean {
  return headerWords(header)
    .split(' ')
    .some((word) => feeWords.has(word) || feeHeaders.has(word) || feePart.test(word));
}

/** Matches the beginning of a header such as `Betrag der Ausgangsgebühr`, which names the amount of a fee. */
const amountOf =
  /^(amount of( the)?|betrag der|montant des|importe de las?|importo delle|importo della|bedrag van de|valor das?) /;

/** Words for a fee inside a longer header. `charge`, `cost` and `kosten` are left out, because headers with them may name the amount. */
const feeWords: ReadonlySet<string> = new Set(
  headerList(`
    fee; fees; charges; surcharge; surcharges; markup; commission; commissions; gebühr; gebühren; entgelt; entgelte; spesen; provision;
    provisionen; provize; frais; comisión; comisiones; commissione; commissioni; comissão; comissões; prowizja; prowizje; opłata; opłaty; avgift; avgifter; provisjon;
    kulu; kulut; gebyr; gebyrer; poplatek; poplatky; комиссия; комісія; komisyon; 手数料; 手续费; 수수료;
    手続費; 手續費; 服务费; 服務費; jutalék; mokestis; komisija; προμήθεια; ücreti; naknada; provizija; poplatok; palvelumaksu; teenustasu`),
);

/** Matches the end of a compound word for a fee, such as `Transaktionskosten` or `支払手数料`. */
const feeEnding = /.(kosten|gebuhr|gebuhren|spesen|entgelt|avgift|gebyr|手数料|手续费|手続費|手續費|服务费|服務費)$/;

/** Matches a word for a fee inside a compound word, such as `Gebührenwährung`. */
const feePart = /gebuhr|spesen|entgelt|provision|avgift|gebyr|手数料|手续费|手續費/;

/**
 * Matches a header that names something other than the fee itself: `Amount after fees`, `Fee type`, `Fee currency`, `Fee rate`. Also
 * matches Schwab's `Fees & Comm`, because these fees are part of the amount.
 */
const noFee =
  /amount|betrag|montant|importe|importo|kwota|bedrag|belopp|belop|сумма|fees comm$|\b(net|netto|gross|brutto|total|rate|id|incl|including|excl|excluding|before|after|vor|nach|status|name|date|basis|account)\b|percent|satz\b|type|art\b|typ\b|code|number|nummer|description|beschreibung|currency|wahrung|devise|moneda|datum|konto|comment/;

/** Headers of withheld taxes that are not part of the amount of a row. Taxes on sales are left out, because they are part of the amount. */
export const withheldTaxHeaders: ReadonlySet<string> = new Set(
  headerList(`
    tax; taxes; withholding; tax withheld; taxes withheld; withholding tax; withheld tax; steuer; steuern; quellensteuer;
    kapitalertragsteuer; kapitalertragssteuer; verrechnungssteuer; abgeltungssteuer; impuesto; impuestos; retención; retenciones;
    taxe; impôt; impôts; impôt à la source; tassa; tasse; imposta; imposte; ritenuta; ritenute; imposto; impostos; belasting;
    belastingen; bronbelasting; podatek; podatki; skatt; källskatt; kildeskatt; skat; kildeskat; vero; ennakonpidätys; daň; adó;
    налог; налоги; vergi; 税; 税金; 세금`),
);
