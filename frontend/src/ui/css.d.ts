// A style sheet is imported as its text: it goes into a shadow root, never into the page.
declare module "*.css" {
  const text: string;
  export default text;
}
