declare const decimalString: unique symbol;

/**
 * An amount of money as the API gives it: whole currency units with exactly the decimals of its currency, `"12.50"`.
 * It is a string from end to end, because a binary number cannot hold it; the brand tells it from other strings, and
 * exists for the compiler only. Inputs take any string, so a literal needs no cast.
 * @source contract, section 1
 */
export type DecimalString = string & { readonly [decimalString]: true };

/** A record of the API with every `…Decimal` field branded as money, however deep. */
export type WithMoney<Value> = Value extends readonly (infer _)[]
  ? { [Index in keyof Value]: WithMoney<Value[Index]> }
  : Value extends object
    ? {
        [Key in keyof Value]: Key extends `${string}Decimal`
          ? DecimalString | Extract<Value[Key], null | undefined>
          : WithMoney<Value[Key]>;
      }
    : Value;
