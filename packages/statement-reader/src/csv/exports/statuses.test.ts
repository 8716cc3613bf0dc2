import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

async function readStatus(header: string, status: string): Promise<string | undefined> {
  const file = [`Date,Amount,${header}`, `2024-01-16,-5.00,${status}`];
  return (await readExport(file)).rows[0];
}

describe('a status', () => {
  it.each([
    ['Status', 'Udført'],
    ['Contabilizzazione', 'CONTABILIZZATO'],
    ['交易状态', '交易成功'],
    ['当前状态', '支付成功'],
    ['当前状态', '已转账'],
    ['当前状态', '已存入零钱'],
    ['当前状态', '对方已收钱'],
    ['当前状态', '朋友已收钱'],
    ['当前状态', '提现已到账'],
    ['当前状态', '充值完成'],
    ['Stato', 'Contabilizzata'],
    ['Statut', 'Comptabilisée'],
    ['Estado', 'Contabilizada'],
    ['Status', 'Efetivada'],
    ['Status', 'Bokfört'],
    ['ステータス', '確定'],
    ['Trạng thái', 'Thành công'],
    ['Stare', 'Finalizat'],
    ['Κατάσταση', 'Ολοκληρωμένη'],
    ['סטטוס', 'בוצע'],
    ['الحالة', 'مكتملة'],
    ['Būsena', 'Įvykdyta'],
    ['Etat', 'Réalisé'],
    ['État', 'Réalisée'],
    ['Stanje', 'Provedeno'],
    ['Stanje', 'Knjiženo'],
    ['Olek', 'Täidetud'],
    ['Statuss', 'Izpildīts'],
    ['Състояние', 'Осчетоводена'],
    ['Состояние', 'Проведено'],
    ['Стан', 'Виконано'],
    ['Állapot', 'Teljesült'],
    ['Staða', 'Bókað'],
    ['สถานะ', 'สำเร็จ'],
    ['Keadaan', 'Berjaya'],
    ['Situação', 'Lançado'],
    ['Situacao', 'Efetivada'],
    ['Tila', 'Kirjattu'],
    ['Durum', 'Gerçekleşti'],
    ['Durum', 'GERÇEKLEŞTİ'],
    ['Result', 'Completed'],
    ['Outcome', 'Completed'],
    ['Settlement', 'Settled'],
  ])('in the column "%s" marks its row as booked: "%s"', async (header, status) => {
    expect(await readStatus(header, status)).toBe('2024-01-16 -5');
    const { interpretation } = await readExport([`Date,Amount,${header}`, `2024-01-16,-5.00,${status}`]);
    expect(interpretation.status).toBe(header);
    expect(interpretation['unknown status']).toBeUndefined();
  });

  it.each([
    ['Status', 'Venter', 'it is pending'],
    ['Stato', 'In sospeso', 'it is pending'],
    ['Status', 'Preliminär', 'it is pending'],
    ['Status', 'Reserveret', 'it is pending'],
    ['ステータス', '未確定', 'it is pending'],
    ['Trạng thái', 'Đang xử lý', 'it is pending'],
    ['Stare', 'În așteptare', 'it is pending'],
    ['Κατάσταση', 'Σε εκκρεμότητα', 'it is pending'],
    ['סטטוס', 'ממתין', 'it is pending'],
    ['الحالة', 'معلقة', 'it is pending'],
    ['Būsena', 'Rezervuota', 'it is pending'],
    ['Etat', 'A venir', 'it is pending'],
    ['État', 'À venir', 'it is pending'],
    ['Stanje', 'U obradi', 'it is pending'],
    ['Stanje', 'V obdelavi', 'it is pending'],
    ['Olek', 'Ootel', 'it is pending'],
    ['Statuss', 'Apstrādē', 'it is pending'],
    ['Състояние', 'Чакаща', 'it is pending'],
    ['Состояние', 'Холд', 'it is pending'],
    ['Стан', 'В обробці', 'it is pending'],
    ['Állapot', 'Folyamatban', 'it is pending'],
    ['Staða', 'Óbókað', 'it is pending'],
    ['สถานะ', 'รอดำเนินการ', 'it is pending'],
    ['Settlement', 'Unsettled', 'it is pending'],
    ['Situação', 'Agendado', 'it is pending'],
    ['Situacao', 'Agendada', 'it is pending'],
    ['Tila', 'Katevaraus', 'it is pending'],
    ['Contabilizzazione', 'NON CONTABILIZZATO', 'it is pending'],
    ['Status', 'Afvist', 'it did not happen ("Afvist")'],
    ['Result', 'Declined', 'it did not happen ("Declined")'],
    ['Outcome', 'Failed', 'it did not happen ("Failed")'],
    ['Status', 'Slettet', 'it did not happen ("Slettet")'],
    ['交易状态', '交易关闭', 'it did not happen ("交易关闭")'],
    ['当前状态', '已全额退款', 'it was reversed ("已全额退款")'],
    ['Status', 'Refunded', 'it was reversed ("Refunded")'],
  ])('in the column "%s" causes its row to be skipped: "%s", because %s', async (header, status, reason) => {
    expect(await readStatus(header, status)).toBe(`line 2 skipped: ${reason}`);
  });
});

it.each([
  ['Stanje', '95.00'],
  ['Settlement', '2024-01-18'],
  ['Result', '-5.00'],
])('the CSV reader does not read the status from the column "%s" if it contains "%s"', async (header, cell) => {
  const { interpretation, rows } = await readExport([`Date,Amount,${header}`, `2024-01-16,-5.00,${cell}`], {
    columns: { date: 'Date', amount: 'Amount' },
  });
  expect(interpretation.status).toBeUndefined();
  expect(rows).toEqual(['2024-01-16 -5']);
});

it('the CSV reader reports unknown words in a column "Stanje", and numbers in a column "Status", as unknown statuses', async () => {
  for (const [header, cell] of [
    ['Stanje', 'Frobnicirano'],
    ['Status', '7'],
  ]) {
    const { interpretation } = await readExport([`Date,Amount,${header}`, `2024-01-16,-5.00,${cell}`], {
      columns: { date: 'Date', amount: 'Amount' },
    });
    expect(interpretation['unknown status']).toContain(cell);
  }
});
