/** A text to go to in a value that is shown as JSON. */
export interface FindText {
  text: string;
}
