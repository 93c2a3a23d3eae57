import { bounds, type Span } from '@postroom/contract/bounds';
import { faultInName, faultInText } from '@postroom/contract/text';
import { z } from 'zod';

/** The same in the words of the description, as far as a pattern can say it: it refuses nothing that is taken. */
const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const UNSEEN = String.raw`\s\u00ad\u180e\u200b-\u200d\u2060-\u206f\u2800\u3164\ufeff`;
export const patterns = {
  text: String.raw`^[^\u0000]*$`,
  trimmed: String.raw`^[^\u0000]*[^\s\u0000][^\u0000]*$`,
  name: `^\\s*[^${CONTROL}]*[^${CONTROL}${UNSEEN}][^${CONTROL}]*\\s*$`,
};

/** Text between bounds that are counted in code points, the way a person counts; zod would count UTF-16 units. */
export function text(span: Span): z.ZodType<string, string> {
  return checked(z.string(), span, faultInText, patterns.text);
}

/** Spaces at both ends do not count and are not kept. */
export function trimmedText(span: Span): z.ZodType<string, string> {
  return checked(z.string().trim(), span, faultInText, patterns.trimmed);
}

/** What people call a label, a view or a rule. */
export function name(span: Span): z.ZodType<string, string> {
  return checked(z.string().trim(), span, faultInName, patterns.name);
}

type FaultIn = (value: string, span: Span) => string | undefined;

function checked(base: z.ZodString, span: Span, faultIn: FaultIn, pattern: string) {
  return base
    .superRefine((value, context) => {
      const fault = faultIn(value, span);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    })
    .meta({ minLength: span.min, maxLength: span.max, pattern });
}

/** An id as callers send it: opaque, so its form is no fault of theirs, but nothing in it may break anything. */
export const opaqueId = text(bounds.id);
