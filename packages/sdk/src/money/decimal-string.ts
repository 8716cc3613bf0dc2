declare const decimalString: unique symbol;

/**
 * An amount of money that the API returns, in major units (euros, not cents), with exactly the decimal places of its currency:
 * `"12.50"`. The amount is a string, because a floating-point number cannot represent every amount exactly. The property
 * `[decimalString]` exists only at compile time, to distinguish amounts from other strings. Inputs accept any string, so a literal needs
 * no cast.
 * @source docs/contract.md, section 1
 */
export type DecimalString = string & { readonly [decimalString]: true };

/** A record of the API whose `…Decimal` fields, at any depth, have the type `DecimalString`. */
export type WithMoney<Value> = Value extends readonly (infer _)[]
  ? { [Index in keyof Value]: WithMoney<Value[Index]> }
  : Value extends object
    ? {
        [Key in keyof Value]: Key extends `${string}Decimal`
          ? DecimalString | Extract<Value[Key], null | undefined>
          : WithMoney<Value[Key]>;
      }
    : Value;
