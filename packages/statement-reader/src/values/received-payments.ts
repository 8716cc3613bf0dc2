/** Names of a payment that the issuer received. On a bank statement, a row with one of these names is an income. */
const receipt =
  '(payment|pymt) received|pagamento recebido|pago recibido|paiement re[çc]u|zahlung erhalten|zahlungseingang|betaling ontvangen|betalning mottagen|pagamento ricevuto';
const certainlyReceived = new RegExp(receipt, 'i');
/** Also matches thanks, such as `PAYMENT - THANK YOU`, and names with words in between, such as `Payment was received`. */
const received = `(payment|pymt).*(thank|received)|${receipt}`;
const receivedPayment = new RegExp(received, 'i');
/** Also matches further names of such a payment. On a bank statement, a row with one of these names may be an expense. */
const possiblyReceived = new RegExp(
  `${received}|thank ?you|autopay|automatic payment|su pago|gracias|merci|vielen dank|wpłata własna|spłata`,
  'i',
);

/** Returns whether a text names a payment that a bank or card issuer received, and that therefore is no expense. */
export function isReceivedPayment(text: string): boolean {
  return receivedPayment.test(text);
}

/** Returns whether a text names a payment that the issuer received, in words that banks never use for an expense. */
export function isCertainlyReceived(text: string): boolean {
  return certainlyReceived.test(text);
}

/** Returns whether a text on a card statement names a received payment. On a bank statement, the same text may name an expense. */
export function isReceivedByCard(text: string): boolean {
  return possiblyReceived.test(text);
}
