import { SentenceSplitterSyntax, splitAST } from 'sentence-splitter';
import { English } from 'sentence-splitter/lang';
import { StringSource } from 'textlint-util-to-string';

// In these documents, "ms." ends a sentence about milliseconds. By default, the library takes it for the title "Ms.".
const isNotMilliseconds = (abbreviation) => abbreviation.toLowerCase() !== 'ms.';
const language = {
  ...English,
  ABBREVIATIONS: English.ABBREVIATIONS.filter(isNotMilliseconds),
  PREPOSITIVE_ABBREVIATIONS: English.PREPOSITIVE_ABBREVIATIONS.filter(isNotMilliseconds),
};

/**
 * A textlint rule that reports sentences of more than `max` words. Published rules do not fit: textlint-rule-en-max-word-count
 * splits sentences at line breaks, and textlint-rule-sentence-length counts characters.
 */
export function sentenceLength(context, { max }) {
  const { Syntax, RuleError, locator, report } = context;
  return {
    [Syntax.Paragraph](node) {
      for (const sentence of splitAST(node, { AbbrMarker: { language } }).children) {
        if (sentence.type !== SentenceSplitterSyntax.Sentence) continue;
        const words = new StringSource(sentence).toString().match(/\S*[\p{L}\p{N}]\S*/gu) ?? [];
        if (words.length <= max) continue;
        const start = sentence.range[0] - node.range[0];
        report(
          node,
          new RuleError(`A sentence of ${words.length} words: “${words.slice(0, 6).join(' ')} …”`, {
            padding: locator.at(start),
          }),
        );
      }
    },
  };
}
