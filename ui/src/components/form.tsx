/** A form that is submitted by the page's code, not by the browser. */

import type { ComponentChildren, FormHTMLAttributes } from "preact";

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> & {
  onSend: () => void;
  children: ComponentChildren;
};

export function Form({ onSend, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={event => {
        event.preventDefault();
        onSend();
      }}
    >
      {children}
    </form>
  );
}
