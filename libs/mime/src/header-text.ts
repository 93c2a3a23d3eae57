const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Text of a header as every reader shows it: the encoder leaves ASCII as it is, so that an encoded word within the text
 * would be decoded by its reader, line breaks and all.
 */
export function headerText(text: string): string {
  return text.replace(CONTROLS, ' ').replaceAll('=?', '= ?');
}
