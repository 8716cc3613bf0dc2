import { describe, expect, it } from 'vitest';
import { isCertainlyReceived, isReceivedByCard, isReceivedPayment } from './received-payments.js';

describe('isCertainlyReceived', () => {
  it.each([
    '결제대금 입금',
    'תשלום התקבל',
    'BETALING MODTAGET TAK',
    'Modtaget indbetaling',
    'Innbetaling mottatt',
    'BETALNING MOTTAGEN TACK',
    'MAKSU VASTAANOTETTU KIITOS',
    'Ontvangen betaling',
    'WPŁATA OTRZYMANA',
    'OTRZYMANO PLATNOSC',
    'Befizetés érkezett',
  ])('accepts "%s"', (text) => {
    expect(isCertainlyReceived(text)).toBe(true);
  });
});

describe('isReceivedPayment', () => {
  it.each([
    'VOSTRO PAGAMENTO GRAZIE',
    'Grazie per il suo pagamento',
    'UW BETALING DANK U',
    'HARTELIJK BEDANKT VOOR UW BETALING',
    'BETALING TAK',
    'Takk for din innbetaling',
    'Tack för din betalning',
    'MAKSU KIITOS',
    'Kiitos maksustasi',
    'DZIĘKUJEMY ZA WPŁATĘ',
    'SPLATA - DZIEKUJEMY',
    'Köszönjük befizetését',
    'BEFIZETÉSÉT KÖSZÖNJÜK',
    'ÖDEME TEŞEKKÜR EDERİZ',
    'ODEME TESEKKUR EDERIZ',
    'PEMBAYARAN TERIMA KASIH',
    'お支払いありがとうございます',
  ])('accepts a text that gives thanks for a payment, although isCertainlyReceived refuses it: "%s"', (text) => {
    expect(isReceivedPayment(text)).toBe(true);
    expect(isCertainlyReceived(text)).toBe(false);
  });
});

describe('isReceivedByCard', () => {
  it.each([
    'ELECTRONIC PMT-WEB',
    'BILL PAYMENT',
    'INBETALNING',
    'INDBETALING',
    'INNBETALING',
    'SUORITUS',
    'ADDEBITO IN C/C SALDO E.C.',
    'Befizetés',
    'SPLATA KARTY',
    'SPŁATA KARTY',
    'SPLÁTKA KARTY',
    '还款',
    '（还款）云闪付',
    'Payment',
    'سداد بطاقة',
  ])(
    'accepts a text that means a received payment on a card, but may mean an expense on a bank account: "%s"',
    (text) => {
      expect(isReceivedByCard(text)).toBe(true);
      expect(isReceivedPayment(text)).toBe(false);
    },
  );

  it.each([
    'VERIZON BILL PAYMENT',
    'Bill payment to ACME',
    'Inbetalningskort',
    'Suoritustalo Oy',
    '信用卡还款手续费',
    'Pagamento POS Santa Maria delle Grazie',
    'Betaling Danske Bank',
    'Betaling Takeaway.com',
    'Addebito in c/c utenza Enel',
    'Addebito saldo carta di credito',
    'Befizetés csekken',
    'Maksu Kiitosbaari',
  ])('refuses "%s"', (text) => {
    expect(isReceivedByCard(text)).toBe(false);
  });
});
