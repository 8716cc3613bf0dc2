import type {
  Account,
  AccountWithCashboxes,
  Cashbox,
  CreateAccountInput,
  CreateCashboxInput,
  Preview,
  UpdateAccountInput,
  UpdateCashboxInput,
} from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions, PreviewOptions } from '../call-options.js';
import type { Balance } from '../money/record-types.js';
import type { Send } from '../transport/call-request.js';

/**
 * Accounts, their cashboxes (sub-accounts) and balances. Operations that create or update an account or a cashbox require a user
 * session and take no idempotency key.
 * @source docs/financial-integration-api.md, Catalog, accounts, balances; docs/contract.md, section 9
 * @example
 * const { data: accounts } = await client.accounts.list();
 * const { data: balances } = await client.accounts.balances();
 * console.log(accounts.length, 'accounts', balances.length, 'balances');
 */
export class AccountsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists the active accounts of the tracker.
   * @example for await (const account of client.accounts.list()) console.log(account.name);
   */
  list(options?: CallOptions): ListPromise<Account> {
    return sendList<Account>(this.#send, { call: calls.listAccounts, options });
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  create(input: CreateAccountInput, options: PreviewOptions): ApiPromise<Preview<AccountWithCashboxes>>;
  /**
   * Creates an account. Without `cashboxes`, the server creates one cashbox with the name of the account.
   * @example await client.accounts.create({ name: 'Checking', type: 'checking', openingBalanceDecimal: '100.00' });
   */
  create(input: CreateAccountInput, options?: CallOptions): ApiPromise<AccountWithCashboxes>;
  create(input: CreateAccountInput, options?: CallOptions | PreviewOptions): ApiPromise<AccountWithCashboxes> {
    return new ApiPromise(this.#send<AccountWithCashboxes>({ call: calls.createAccount, body: input, options }));
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  update(accountId: string, patch: UpdateAccountInput, options: PreviewOptions): ApiPromise<Preview<Account>>;
  /**
   * Renames, archives or reactivates an account.
   * @example await client.accounts.update(accountId, { status: 'archived' });
   */
  update(accountId: string, patch: UpdateAccountInput, options?: CallOptions): ApiPromise<Account>;
  update(accountId: string, patch: UpdateAccountInput, options?: CallOptions | PreviewOptions): ApiPromise<Account> {
    const pathParameters = { accountId };
    return new ApiPromise(this.#send<Account>({ call: calls.updateAccount, pathParameters, body: patch, options }));
  }

  /**
   * Lists the active cashboxes of an account.
   * @throws NotFoundError if the account is not in the tracker
   * @example const { data: cashboxes } = await client.accounts.cashboxes(accountId);
   */
  cashboxes(accountId: string, options?: CallOptions): ListPromise<Cashbox> {
    return sendList<Cashbox>(this.#send, { call: calls.listCashboxes, pathParameters: { accountId }, options });
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  createCashbox(accountId: string, input: CreateCashboxInput, options: PreviewOptions): ApiPromise<Preview<Cashbox>>;
  /**
   * Adds a cashbox to an account.
   * @example await client.accounts.createCashbox(accountId, { name: 'Savings jar' });
   */
  createCashbox(accountId: string, input: CreateCashboxInput, options?: CallOptions): ApiPromise<Cashbox>;
  createCashbox(
    accountId: string,
    input: CreateCashboxInput,
    options?: CallOptions | PreviewOptions,
  ): ApiPromise<Cashbox> {
    const pathParameters = { accountId };
    return new ApiPromise(this.#send<Cashbox>({ call: calls.createCashbox, pathParameters, body: input, options }));
  }

  /** With `dryRun: true`, returns the result of the write as a preview, and records nothing. */
  updateCashbox(cashboxId: string, patch: UpdateCashboxInput, options: PreviewOptions): ApiPromise<Preview<Cashbox>>;
  /**
   * Renames, archives or reactivates a cashbox.
   * @example await client.accounts.updateCashbox(cashboxId, { name: 'Holidays' });
   */
  updateCashbox(cashboxId: string, patch: UpdateCashboxInput, options?: CallOptions): ApiPromise<Cashbox>;
  updateCashbox(
    cashboxId: string,
    patch: UpdateCashboxInput,
    options?: CallOptions | PreviewOptions,
  ): ApiPromise<Cashbox> {
    const pathParameters = { cashboxId };
    return new ApiPromise(this.#send<Cashbox>({ call: calls.updateCashbox, pathParameters, body: patch, options }));
  }

  /**
   * Lists the balances of all active cashboxes of active accounts. A balance may be negative.
   * @param options.asOf the last day, `YYYY-MM-DD`, whose movements are included; by default all movements are included
   * @example for await (const balance of client.accounts.balances()) console.log(balance.accountName, balance.balanceDecimal);
   */
  balances(options: CallOptions & { readonly asOf?: string | undefined } = {}): ListPromise<Balance> {
    const { asOf, ...callOptions } = options;
    return sendList<Balance>(this.#send, { call: calls.listBalances, query: { asOf }, options: callOptions });
  }
}
