import { bounds, type InclusiveRange } from '@postroom/contract/bounds';
import { codePoints, faultInName, faultInText } from '@postroom/contract/text';
import { z } from 'zod';

/**
 * These patterns repeat the checks for the OpenAPI description, as far as a pattern that every tool reads can. They
 * match every text that the checks accept.
 */
const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
/** The characters that are trimmed. They are listed because tools differ in the meaning of `\s`. */
const SPACE = String.raw`\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`;
const UNSEEN = String.raw`${SPACE}\u00ad\u180e\u200b-\u200d\u2060-\u206f\u2800\u3164`;
const OF_DOMAIN = String.raw`0-9A-Z_a-z\u00aa-\uffff`;
const DOMAIN_LABEL = `[${OF_DOMAIN}]([${OF_DOMAIN}-]*[${OF_DOMAIN}])?`;
export const patterns = {
  text: String.raw`^[^\u0000]*$`,
  oneLine: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$`,
  trimmed: ({ min }: InclusiveRange) => String.raw`^([^\u0000]*[^${SPACE}\u0000]){${min}}[^\u0000]*$`,
  name: `^[${SPACE}]*[^${CONTROL}]*[^${CONTROL}${UNSEEN}][^${CONTROL}]*[${SPACE}]*$`,
  /** Allows domains in any language. The service also refuses characters that are not letters there. */
  domain: String.raw`^[${SPACE}]*@?${DOMAIN_LABEL}(\.${DOMAIN_LABEL})*[${SPACE}]*$`,
};

/** Text between bounds that are counted in code points, the way a person counts; zod would count UTF-16 units. */
export function boundedText(span: InclusiveRange): z.ZodType<string, string> {
  return checked(z.string(), span, faultInText, patterns.text);
}

/** Spaces at both ends are not kept, and do not make what is too short long enough. */
export function trimmedText(span: InclusiveRange): z.ZodType<string, string> {
  return checked(trimmed(span), span, faultInText, patterns.trimmed(span));
}

/** The name of a label, a view or a rule. */
export function name(span: InclusiveRange): z.ZodType<string, string> {
  return checked(trimmed(span), span, faultInName, patterns.name);
}

/** The maximum applies before trimming, because tools that read `maxLength` count the spaces too. */
function trimmed({ max }: InclusiveRange) {
  const fault = `must have at most ${max} characters`;
  return z
    .string()
    .refine((value) => codePoints(value) <= max, { message: fault, abort: true })
    .trim();
}

type FaultIn = (value: string, span: InclusiveRange) => string | undefined;

function checked(base: z.ZodString, span: InclusiveRange, faultIn: FaultIn, pattern: string) {
  return base
    .superRefine((value, context) => {
      const fault = faultIn(value, span);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    })
    .meta({ minLength: span.min, maxLength: span.max, pattern });
}

/** An id as callers send it: opaque, so its form is no fault of theirs, but nothing in it may break anything. */
export const opaqueId = boundedText(bounds.id);
