import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

it('the CSV reader reads a Spanish account with two date columns, a balance column, and the first line "sep=;"', async () => {
  const { rows } = await readExport([
    'sep=;',
    'F.Valor;Fecha;Concepto;Movimiento;Importe;Divisa;Disponible;Divisa;Observaciones',
    '16/01/2024;16/01/2024;Mercadona;Pago con tarjeta;-12,50;EUR;987,50;EUR;',
    '15/01/2024;15/01/2024;Nomina;Abono;1.000,00;EUR;1.000,00;EUR;',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 EUR Mercadona', '2024-01-15 +1000 EUR Nomina']);
});

it('the CSV reader reads amounts with a currency code, and requires the date format if the dates are ambiguous', async () => {
  const file = [
    'Concepto;Fecha;Importe;Saldo',
    'MERCADONA;02/01/2024;-12,50EUR;987,50EUR',
    'NOMINA;01/02/2024;+1.000,00EUR;1.000,00EUR',
  ];
  await expect(readExport(file)).rejects.toMatchObject({
    remedy: 'Choose one with --date-format MM/DD/YYYY or --date-format DD/MM/YYYY.',
  });
  const { rows, interpretation } = await readExport(file, { dateFormat: 'DD/MM/YYYY' });
  expect(rows).toEqual(['2024-01-02 -12.5 EUR MERCADONA', '2024-02-01 +1000 EUR NOMINA']);
  expect(interpretation['date format']).toBe('DD/MM/YYYY');
});

it('the CSV reader reports a row as failed if its amount and its currency column name different currencies', async () => {
  const { rows } = await readExport(['Date;Text;Amount;Currency', '2024-01-16;Shop;USD -12,50;EUR']);
  expect(rows).toEqual(['line 2 failure: its amount is in USD, but its currency is EUR']);
});

it('the CSV reader reads an Italian account with incomes and expenses in two columns, and leaves out its balances', async () => {
  const { rows, interpretation } = await readExport([
    'Saldo iniziale;;;500,00;;',
    'Data Contabile;Data Valuta;Descrizione;Accrediti;Addebiti;Descrizione estesa',
    '16.01.2024;16.01.2024;Pagamento POS;;-12,50;ESSELUNGA',
    '15.01.2024;15.01.2024;Stipendio;1.000,00;;ACME',
    'Saldo finale;;;1.487,50;;',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 Pagamento POS', '2024-01-15 +1000 Stipendio']);
  expect(interpretation['left out']).toBe('line 5 "Saldo finale" (balance), line 1 "Saldo iniziale" (preamble)');
});

it('the CSV reader leaves out an Italian closing balance whose name and date are in the date column', async () => {
  const { rows, interpretation } = await readExport([
    'Saldo iniziale al 01/02/2026;;;;12.345,67',
    'Data contabile;Data valuta;Descrizione operazione;Dare;Avere',
    '16/02/2026;16/02/2026;BONIFICO FATT. FT-2026-12;;1.220,00',
    '18/02/2026;17/02/2026;PAGAMENTO POS;85,40;',
    'Saldo finale al 28/02/2026;;;;13.480,27',
  ]);
  expect(rows).toEqual(['2026-02-16 +1220 BONIFICO FATT. FT-2026-12', '2026-02-18 -85.4 PAGAMENTO POS']);
  expect(interpretation['left out']).toContain('line 5 "Saldo finale al 28/02/2026" (balance)');
});

it('the CSV reader leaves out undated Italian balances whose names are to the right of the amounts; an undated payment fails', async () => {
  const { rows, interpretation } = await readExport([
    'DATA CONTABILE;DATA VALUTA;USCITE;ENTRATE;CAUSALE;DESCRIZIONE OPERAZIONE',
    ';;;+1.650,00;;Saldo iniziale',
    '16/01/2026;16/01/2026;-193,98;;PAGAMENTO;ESSELUNGA',
    ';;;;;ESSELUNGA MILANO',
    ';;;+7,00;;Stipendio',
    ';;;+1.456,02;;Saldo finale',
  ]);
  expect(rows).toEqual(['2026-01-16 -193.98 ESSELUNGA ESSELUNGA MILANO', 'line 5 failure: it has no date']);
  expect(interpretation['left out']).toBe('line 2 "Saldo iniziale" (balance), line 6 "Saldo finale" (balance)');
});

it('the CSV reader reads "Descrizione movimento" as the text and "Saldo progressivo" as the balance', async () => {
  const { rows, interpretation } = await readExport([
    'Data operazione;Descrizione movimento;Importo entrate;Importo uscite;Saldo progressivo;Causale ABI',
    '12/07/2026;BONIFICO FT 2026/031;12.300,00;;45.210,77;48',
    '13/07/2026;PAGAMENTO F24;;1.250,00;43.960,77;19',
  ]);
  expect(rows).toEqual(['2026-07-12 +12300 BONIFICO FT 2026/031', '2026-07-13 -1250 PAGAMENTO F24']);
  expect(interpretation.balance).toBe('the balance column agrees on 2 of 2 rows');
});

it('the CSV reader reads a Portuguese account with D and C after the amount', async () => {
  const { rows } = await readExport([
    'Data;Descrição;Valor',
    '16/01/2024;CONTINENTE;1.012,50 D',
    '15/01/2024;ORDENADO;5.000,00 C',
  ]);
  expect(rows).toEqual(['2024-01-16 -1012.5 CONTINENTE', '2024-01-15 +5000 ORDENADO']);
});

it('the CSV reader reads a Brazilian account, and refuses a card statement in which a minus is a payment', async () => {
  const { rows } = await readExport([
    'Data,Valor,Identificador,Descrição',
    '16/01/2024,-12.50,65a6,Compra no débito - PADARIA',
    '15/01/2024,1000.00,65a5,Transferência recebida',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 Compra no débito - PADARIA', '2024-01-15 +1000 Transferência recebida']);
  const card = [
    'date,title,amount',
    '2024-01-16,Padaria,12.50',
    '2024-01-15,Mercado,30.00',
    '2024-01-10,Pagamento recebido,-42.50',
  ];
  await expect(readExport(card)).rejects.toMatchObject({ remedy: expect.stringContaining('--minus income') });
});

it('the CSV reader reads an Australian account without headers, with a plus sign before each balance', async () => {
  const { rows, interpretation } = await readExport([
    '16/01/2024,"-12.50","WOOLWORTHS 1234 SYDNEY","+988.00"',
    '15/01/2024,"+1000.00","Direct Credit ACME SALARY","+1000.50"',
    '14/01/2024,"-5.00","CAFE","+0.50"',
  ]);
  expect(rows[0]).toBe('2024-01-16 -12.5 WOOLWORTHS 1234 SYDNEY');
  expect(interpretation).toMatchObject({ amount: 'column 2', description: 'column 3' });
});

it('the CSV reader reads Brazilian columns of money in and money out next to a column of daily balances', async () => {
  const { rows, interpretation } = await readExport([
    'Data Lançamento,Título,Descrição,Entrada(R$),Saída(R$),Saldo do Dia(R$)',
    '15/11/2024,Pix enviado,JOAO,0.00,50.00,2900.00',
    '15/11/2024,Salario,ACME,2000.00,0.00,2900.00',
  ]);
  expect(interpretation).toMatchObject({ debit: 'Saída(R$)', credit: 'Entrada(R$)' });
  expect(rows).toEqual(['2024-11-15 -50 JOAO', '2024-11-15 +2000 ACME']);
});

it('the CSV reader reads a statement of BAC, whose headers follow a table with the account', async () => {
  const { rows } = await readExport([
    'Número de Cliente, Nombre, Producto, Moneda, Saldo inicial, Saldo en libros, Saldo disponible, Fecha del Estado',
    '123456,A USER,CR05010200001234567890,CRC,312000.00,472672.40,472672.40,31/05/2026',
    '',
    'Fecha de Transacción, Referencia de Transacción, Descripción de Transacción, Débito de Transacción, Crédito de Transacción, Balance de Transacción',
    '14/05/2026, 123456700, ALQUILER MAYO, 84500.80, 0.00, 227499.20',
    '15/05/2026, 123456702, NOMINA EMPRESA SA, 0.00, 245173.20, 472672.40',
  ]);
  expect(rows).toEqual(['2026-05-14 -84500.8 ALQUILER MAYO', '2026-05-15 +245173.2 NOMINA EMPRESA SA']);
});
