/** The beginning of a text, never ending in half a character: half of one makes JSON that other readers refuse. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.charCodeAt(most - 1);
  const isHalf = end >= 0xd800 && end <= 0xdbff;
  return text.slice(0, isHalf ? most - 1 : most);
}
